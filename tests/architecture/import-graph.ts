import { readdir, readFile } from 'node:fs/promises';
import { join, posix, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Each file with the source files of ours that it imports; paths are relative to the repository root, with `/`. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const specifier = /(?:\bfrom|\bimport|\bimport\()\s*'([.#][^']*)'/g;

const typeImport = /^import type [^;]*;$/gm;

/**
 * @param parts top-level folders
 * @param options.withTypes whether imports of types alone count
 */
export const readImportGraph = async (
  parts: readonly string[],
  { withTypes = true } = {},
): Promise<ImportGraph> => {
  const graph = new Map<string, readonly string[]>();
  for (const part of parts) {
    for (const name of await readdir(join(root, part), { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue;
      const file = posix.join(part, name.replaceAll(sep, '/'));
      const whole = await readFile(join(root, file), 'utf8');
      const source = withTypes ? whole : whole.replaceAll(typeImport, '');
      const imported = [...source.matchAll(specifier)].map(([, found = '']) =>
        found.startsWith('#') ? found.slice(1) : posix.join(posix.dirname(file), found),
      );
      graph.set(file, [...new Set(imported)]);
    }
  }
  return graph;
};

/** Sets of files that import each other in a circle (Tarjan's strongly connected components). */
export const findCircles = (graph: ImportGraph): readonly (readonly string[])[] => {
  const order = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const circles: string[][] = [];

  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    open.push(file);
    isOpen.add(file);
    let low = number;
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (isOpen.has(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === number) {
      const circle = open.splice(open.indexOf(file));
      for (const member of circle) isOpen.delete(member);
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
};
