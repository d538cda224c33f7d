/** A line of a tree with the lines below it. */
export type Branch = { label: string; below: Branch[] };

/** Draws trees one below the other, with lines that show what belongs to what. */
export function drawTree(roots: Branch[]): string {
  return roots.flatMap((root) => [root.label, ...drawBelow(root.below, '')]).join('\n');
}

function drawBelow(branches: Branch[], lead: string): string[] {
  return branches.flatMap(({ label, below }, at) => {
    const isLast = at === branches.length - 1;
    return [`${lead}${isLast ? '└─ ' : '├─ '}${label}`, ...drawBelow(below, `${lead}${isLast ? '   ' : '│  '}`)];
  });
}
