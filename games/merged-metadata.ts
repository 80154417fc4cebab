import type { ModLoader, ModMetadata } from '#contracts/servers/agent-mods.ts';
import { metadataOf } from './metadata-text.ts';

/** The loaders whose mods a loader loads, its own first. */
const loadedBy = (loader: ModLoader): readonly ModLoader[] => {
  if (loader === 'quilt') return ['quilt', 'fabric'];
  return loader === 'neoforge' ? ['neoforge', 'forge'] : [loader];
};

/** The mods that this loader finds in a jar, which may have metadata for several; all of them where none is for it. */
export const modsFor = (mods: readonly ModMetadata[], loader: ModLoader | null): readonly ModMetadata[] => {
  if (loader === null) return mods;
  for (const own of loadedBy(loader)) {
    const found = mods.filter(({ loaders }) => loaders.includes(own));
    if (found.length > 0) return found;
  }
  return mods;
};

/** Several mods as one: it has the first one's id, provides the others, and requires what none of them is. */
export const mergedMetadata = (mods: readonly ModMetadata[]): ModMetadata | null => {
  const [first, ...others] = mods;
  if (first === undefined || others.length === 0) return first ?? null;
  const provides = [...others.map(({ id }) => id), ...mods.flatMap((mod) => mod.provides ?? [])];
  const inside = new Set([first.id, ...provides]);
  return metadataOf({
    ...first,
    requires: mods.flatMap(({ requires }) => requires).filter((id) => !inside.has(id)),
    breaks: mods.flatMap(({ breaks }) => breaks).filter((id) => !inside.has(id)),
    provides,
  });
};
