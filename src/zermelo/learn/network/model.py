"""The network in PyTorch: the same arithmetic as in engine/kernels/parts/forward.py, on many states at once, and what it learns by.

All weights are one vector, in the order of the network's file. So what PyTorch trains is what the compiled search reads, without a word in
between, and one vector of moments is all that a checkpoint needs beside it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError
from zermelo.learn.network.selfplay import Evaluate, Samples
from zermelo.search.network.plain import Sizes, layers

__all__ = ["Learner", "evaluator", "pytorch"]

CLIP = 5.0  # the longest step of one batch, as the length of its gradient
FORBIDDEN = -1e9  # the logit of a move that is not legal


def pytorch() -> Any:
    """The library, or a sentence that says how to get it."""
    try:
        import torch
    except ImportError:
        raise ZermeloError("Networks are trained with PyTorch, which is not installed: pip install 'zermelo[network]'.") from None
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
    """A network in training: weights and the moments of its optimiser (AdamW; I. Loshchilov and F. Hutter, 2019)."""

    def __init__(self, sizes: Sizes, weights: NDArray[np.float32], rate: float, decay: float) -> None:
        self.torch = pytorch()
        self.sizes = sizes
        self.vector = self.torch.from_numpy(weights.copy()).requires_grad_()
        self.optimiser = self.torch.optim.AdamW([self.vector], lr=rate, weight_decay=decay)

    @property
    def weights(self) -> NDArray[np.float32]:
        """A copy."""
        vector: NDArray[np.float32] = self.vector.detach().numpy().copy()
        return vector

    def memory(self) -> dict[str, NDArray[Any]]:
        """Everything that training goes on from."""
        state = self.optimiser.state.get(self.vector, {})
        moments = {name: state[name].numpy() for name in ("exp_avg", "exp_avg_sq")} if state else {}
        return {"weights": self.weights, "steps": np.array([int(state["step"]) if state else 0]), **moments}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Goes on from there."""
        with self.torch.no_grad():
            self.vector.copy_(self.torch.from_numpy(memory["weights"]))
        if "exp_avg" in memory:
            self.optimiser.state[self.vector] = {
                "step": self.torch.tensor(float(memory["steps"][0])),
                **{name: self.torch.from_numpy(memory[name].copy()) for name in ("exp_avg", "exp_avg_sq")},
            }

    def study(self, samples: Samples, steps: int, batch: int, mix: float, seed: int, rate: float) -> tuple[float, float]:
        """So many steps on batches drawn at random; the mean losses of policy and value.

        The value learns from `mix` parts of the game's result and the rest of what the search had found.
        """
        torch, random = self.torch, np.random.default_rng(seed)
        targets = (mix * samples.lessons[:, 0] + (1 - mix) * samples.lessons[:, 1]).clip(-1, 1)
        losses = np.zeros(2)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        for _ in range(steps):
            rows = random.integers(0, len(targets), batch)
            policies, values = forward(torch, self.vector, self.sizes, torch.from_numpy(samples.inputs[rows]))
            allowed = policies.masked_fill(torch.from_numpy(samples.legal[rows]) == 0, FORBIDDEN)
            wanted = torch.from_numpy(samples.policies[rows])
            policy_loss = -(wanted * torch.log_softmax(allowed, 1)).sum(1).mean()
            value_loss = ((values - torch.from_numpy(targets[rows])) ** 2).mean()
            self.optimiser.zero_grad()
            (policy_loss + value_loss).backward()
            torch.nn.utils.clip_grad_norm_([self.vector], CLIP)
            self.optimiser.step()
            losses += float(policy_loss.detach()), float(value_loss.detach())
        return float(losses[0] / steps), float(losses[1] / steps)
