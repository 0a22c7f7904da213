/**
 * When a run with a stopping rule looks at its samples: after the least blocks, then after a tenth
 * more each time, so that a run of many blocks neither reads its samples a thousand times nor measures
 * much more than it needs.
 */
export function nextLook(blocks: number): number {
  return blocks + Math.max(1, Math.floor(blocks / 10));
}

/** Every look that a run may make, in blocks measured before it: the last is at the most blocks. */
export function looksOf(least: number, most: number): readonly number[] {
  const looks: number[] = [];
  for (let look = least; look < most; look = nextLook(look)) looks.push(look);
  return [...looks, most];
}
