/** Finds circles in a graph: for each group of nodes that reach each other, one shortest way round. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const told = new Set<string>();
  const cycles: string[][] = [];
  for (const start of graph.keys()) {
    if (told.has(start)) continue;
    const circle = wayRound(graph, start);
    if (!circle) continue;
    for (const node of circle) told.add(node);
    cycles.push(circle);
  }
  return cycles;
}

/** The shortest way from a node back to itself, by breadth-first search. */
function wayRound(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return trace(cameFrom, start, node);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      waiting.push(next);
    }
  }
  return undefined;
}

function trace(cameFrom: ReadonlyMap<string, string>, start: string, last: string): string[] {
  const way = [start];
  for (let node: string | undefined = last; node !== undefined && node !== start; node = cameFrom.get(node))
    way.unshift(node);
  return [start, ...way];
}
