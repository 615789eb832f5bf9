"""The network in PyTorch: the same arithmetic as in forward_kernel.py, on many states at once, and what it learns by.

All weights are one vector, in the order of the network's file. So what PyTorch trains is what the compiled search reads, without a word in
between, and two vectors of moments are all that a checkpoint needs beside it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError
from zermelo.learn.network.selfplay import Evaluate, Samples
from zermelo.search.montecarlo.network.network_file import Sizes, layers

__all__ = ["Learner", "evaluator", "pytorch"]

CLIP = 5.0  # the longest step of one batch, as the length of its gradient
FORBIDDEN = -1e9  # the logit of a move that is not legal
MEAN_KEPT, SQUARE_KEPT = 0.9, 0.999  # how much of the moments is kept at each step
TINY = 1e-8  # keeps a step finite where no gradient has been


def pytorch() -> Any:
    """The library, or a sentence that says how to get it. It works on one thread from then on: a small network is not worth sharing."""
    try:
        import torch
    except ImportError:
        raise ZermeloError("Networks are trained with PyTorch, which is not installed: pip install 'zermelo[network]'.") from None
    torch.set_num_threads(1)
    return torch


def forward(torch: Any, weights: Any, sizes: Sizes, inputs: Any) -> tuple[Any, Any]:
    """Policy and value for rows of inputs."""
    shapes = layers(sizes)
    parts = iter(torch.split(weights, [size for count, width in shapes for size in (count * width, width)]))
    steps = [(next(parts).view(count, width), next(parts)) for count, width in shapes]

    def through(number: int, given: Any) -> Any:
        return torch.addmm(steps[number][1], given, steps[number][0])

    stream = torch.relu(through(0, inputs))
    for block in range(sizes.blocks):
        inner = torch.relu(through(1 + 2 * block, stream))
        stream = torch.relu(stream + through(2 + 2 * block, inner))
    heads = 1 + 2 * sizes.blocks
    value = torch.tanh(through(heads + 2, torch.relu(through(heads + 1, stream))))
    return through(heads, stream), value[:, 0]


def evaluator(sizes: Sizes, weights: NDArray[np.float32]) -> Evaluate:
    """A function that asks a network about many states at once; threads may share it."""
    torch = pytorch()
    vector = torch.from_numpy(weights.copy())

    def evaluate(inputs: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with torch.inference_mode():
            policies, values = forward(torch, vector, sizes, torch.from_numpy(inputs))
            return policies.numpy(), values.contiguous().numpy()

    return evaluate


class Learner:
    """A network in training: its weights, and the moments by which AdamW (I. Loshchilov and F. Hutter, 2019) makes its steps.

    The optimiser is written out: for one vector it is six lines, which load nothing and leave nothing but two vectors to be kept.
    """

    def __init__(self, sizes: Sizes, weights: NDArray[np.float32], decay: float) -> None:
        self.torch = pytorch()
        self.sizes, self.decay = sizes, decay
        self.vector = self.torch.from_numpy(weights.copy()).requires_grad_()
        self.mean, self.square = (self.torch.zeros_like(self.vector, requires_grad=False) for _ in range(2))  # of gradients
        self.steps = 0

    @property
    def weights(self) -> NDArray[np.float32]:
        """A copy."""
        vector: NDArray[np.float32] = self.vector.detach().numpy().copy()
        return vector

    def memory(self) -> dict[str, NDArray[Any]]:
        """Everything that training goes on from, as copies."""
        moments = {"mean": self.mean.numpy().copy(), "square": self.square.numpy().copy()}
        return {"weights": self.weights, "steps": np.array([self.steps]), **moments}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Goes on from there."""
        with self.torch.no_grad():
            for vector, name in ((self.vector, "weights"), (self.mean, "mean"), (self.square, "square")):
                vector.copy_(self.torch.from_numpy(memory[name].copy()))
        self.steps = int(memory["steps"][0])

    def study(self, samples: Samples, steps: int, batch: int, mix: float, seed: int, rate: float) -> tuple[float, float]:
        """So many steps on batches drawn at random; the mean losses of policy and value.

        The value learns from `mix` parts of the game's result and the rest of what the search had found.
        """
        torch, random = self.torch, np.random.default_rng(seed)
        targets = (mix * samples.lessons[:, 0] + (1 - mix) * samples.lessons[:, 1]).clip(-1, 1)
        losses = np.zeros(2)
        for _ in range(steps):
            rows = random.integers(0, len(targets), batch)
            policies, values = forward(torch, self.vector, self.sizes, torch.from_numpy(samples.inputs[rows]))
            allowed = policies.masked_fill(torch.from_numpy(samples.legal[rows]) == 0, FORBIDDEN)
            wanted = torch.from_numpy(samples.policies[rows])
            policy_loss = -(wanted * torch.log_softmax(allowed, 1)).sum(1).mean()
            value_loss = ((values - torch.from_numpy(targets[rows])) ** 2).mean()
            (gradient,) = torch.autograd.grad(policy_loss + value_loss, self.vector)
            self.step(gradient, rate)
            losses += float(policy_loss.detach()), float(value_loss.detach())
        return float(losses[0] / steps), float(losses[1] / steps)

    def step(self, gradient: Any, rate: float) -> None:
        """One step against the gradient, by AdamW."""
        with self.torch.no_grad():
            gradient = gradient * (CLIP / max(float(gradient.norm()), CLIP))
            self.steps += 1
            self.mean.mul_(MEAN_KEPT).add_(gradient, alpha=1 - MEAN_KEPT)
            self.square.mul_(SQUARE_KEPT).addcmul_(gradient, gradient, value=1 - SQUARE_KEPT)
            spread = (self.square / (1 - SQUARE_KEPT**self.steps)).sqrt_().add_(TINY)
            self.vector.mul_(1 - rate * self.decay).addcdiv_(self.mean, spread, value=-rate / (1 - MEAN_KEPT**self.steps))
