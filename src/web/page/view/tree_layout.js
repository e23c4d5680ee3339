// Lays out a tree: leaves side by side, every other node above the middle of its first and last child.

/**
 * Returns the place of every node, in units of leaves and levels.
 * @template T
 * @param {T} root
 * @param {(node: T) => T[]} children
 * @returns {{ places: Map<T, { x: number, level: number }>, leaves: number, levels: number }}
 */
export function layoutTree(root, children) {
  /** @type {Map<T, { x: number, level: number }>} */
  const places = new Map();
  let leaves = 0;
  let levels = 0;
  /** @param {T} node @param {number} level @returns {number} */
  const arrange = (node, level) => {
    levels = Math.max(levels, level + 1);
    const xs = children(node).map((child) => arrange(child, level + 1));
    const x = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : leaves++;
    places.set(node, { x, level });
    return x;
  };
  arrange(root, 0);
  return { places, leaves, levels };
}
