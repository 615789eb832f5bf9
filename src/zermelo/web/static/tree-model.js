// A tree as far as it has been sent: which nodes are known, which are open, and where they stand.

/**
 * @typedef {{i: number, p: number, k: string, y?: string, v?: string, a?: string, l?: string, w?: string, n?: string, q?: string, o?: boolean, c?: boolean, x?: boolean, u?: boolean, s?: string, m: number, d?: number, b?: any, share?: number, f?: string}} TreeNode
 * i number, p parent, k kind, y player, v value, a action, l label, w window, n note, q probability, o optimal, c on the chosen line,
 * x pruned, u the cut is here, s information set, m children, d nodes of the subtree, b board, share of its siblings' width, f a second figure
 */

export const ROW = 96;
export const BOARD_ROW = 168;
const GAP = 14;

/** Who moves, in few letters. @param {TreeNode} node */
export function shortName(node) {
  return (node.y ?? "").replace("Player ", "P").slice(0, 12);
}

export class TreeModel {
  constructor() {
    /** @type {Map<number, TreeNode>} */
    this.nodes = new Map();
    /** @type {Map<number, number[]>} */
    this.below = new Map();
    /** @type {Set<number>} */
    this.open = new Set();
    /** @type {TreeNode[][]} rows of what is shown, each from left to right */
    this.rows = [];
    /** @type {Map<number, {x: number, depth: number}>} */
    this.places = new Map();
    this.width = 0;
    this.boards = false;
    this.changed = true;
    this.bare = false; // boards are left out
  }

  /** @param {TreeNode[]} nodes parents before children, or with parents that are known @param {boolean} [open] */
  add(nodes, open = true) {
    for (const node of nodes) {
      const fresh = !this.nodes.has(node.i);
      this.nodes.set(node.i, node);
      if (node.b) this.boards = true;
      if (fresh && node.p >= 0) {
        const family = this.below.get(node.p) ?? [];
        family.push(node.i);
        this.below.set(node.p, family);
        if (open) this.open.add(node.p);
      }
    }
    for (const node of nodes) {
      const family = this.below.get(node.p);
      if (family && family.length > 1) family.sort((a, b) => a - b);
    }
    this.changed = true;
  }

  /** @param {number} id */
  get(id) {
    return this.nodes.get(id);
  }

  /** The children that are shown. @param {number} id @returns {number[]} */
  children(id) {
    return this.open.has(id) ? (this.below.get(id) ?? []) : [];
  }

  /** Are all children of a node known? @param {number} id */
  complete(id) {
    return (this.below.get(id)?.length ?? 0) >= (this.nodes.get(id)?.m ?? 0);
  }

  /** @param {number} id @param {boolean} open */
  setOpen(id, open) {
    if (open) this.open.add(id);
    else this.open.delete(id);
    this.changed = true;
  }

  /** Opens everything above a node. @param {number} id */
  reveal(id) {
    for (let node = this.nodes.get(id)?.p ?? -1; node >= 0; node = this.nodes.get(node)?.p ?? -1) {
      if (!this.open.has(node)) this.setOpen(node, true);
    }
  }

  get rowHeight() {
    return this.boards && !this.bare ? BOARD_ROW : ROW;
  }

  /** Where everything stands: leaves side by side, parents in the middle above their children. Time grows with the nodes that are shown. */
  layout() {
    if (!this.changed) return;
    this.changed = false;
    this.rows = [];
    this.places = new Map();
    let right = 0;
    /** @type {Array<[number, number, number]>} node, depth, next child */
    const stack = this.nodes.has(0) ? [[0, 0, 0]] : [];
    while (stack.length) {
      const top = stack[stack.length - 1];
      const [id, depth, next] = top;
      const children = this.children(id);
      if (next < children.length) {
        top[2] += 1;
        stack.push([children[next], depth + 1, 0]);
        continue;
      }
      stack.pop();
      const node = /** @type {TreeNode} */ (this.nodes.get(id));
      const room = this.room(node);
      let x = right + room / 2;
      if (children.length) {
        const [first, last] = [this.places.get(children[0]), this.places.get(children[children.length - 1])];
        x = ((first?.x ?? 0) + (last?.x ?? 0)) / 2;
        right = Math.max(right, x + room / 2);
      } else right += room;
      this.places.set(id, { x, depth });
      (this.rows[depth] ??= []).push(node);
    }
    this.width = right;
  }

  /** @param {TreeNode} node */
  room(node) {
    const beside = 6.2 * ((node.k === "player" ? shortName(node).length : 0) + (node.f ?? "").length);
    const action = (node.a ?? "").length + (node.q ? node.q.length + 3 : 0);
    const text = Math.max((node.v ?? "").length * 8 + 14 + 2 * beside, action * 6.4, (node.w ?? "").length * 6.2, 44);
    return Math.min(150, Math.max(this.bare ? Math.max(40, (node.v ?? "").length * 12 + 12, (node.a ?? "").length * 8) : text, node.b && !this.bare ? 84 : 0)) + GAP;
  }

  /** The places among siblings from the root to a node. @param {number} id @returns {number[]} */
  path(id) {
    const places = [];
    for (let node = this.nodes.get(id); node && node.p >= 0; node = this.nodes.get(node.p)) places.push((this.below.get(node.p) ?? []).indexOf(node.i));
    return places.reverse();
  }

  /** The node at a path, as far as it is known. @param {number[]} path */
  follow(path) {
    let id = 0;
    for (const place of path) {
      const next = this.below.get(id)?.[place];
      if (next === undefined) return id;
      id = next;
    }
    return id;
  }
}
