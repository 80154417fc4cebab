import type { ModLoader } from '#contracts/servers/agent-mods.ts';
import type { ModTarget, SourceVersion } from './mod-source.ts';

/**
 * The loaders whose mods each loader takes, named as Modrinth's tags (https://api.modrinth.com/v2/tag/loader), best fit first.
 * - Quilt loads mods of Fabric: https://quiltmc.org/en/about/faq/
 * - Paper loads plugins of Bukkit and Spigot: https://docs.papermc.io/paper/migration/ — and has Folia's schedulers:
 *   https://docs.papermc.io/paper/dev/folia-support/
 * - Purpur's own plugins are left out, since a Purpur server cannot be recognized here.
 */
const accepted: Readonly<Record<ModLoader, readonly string[]>> = {
  fabric: ['fabric'],
  quilt: ['quilt', 'fabric'],
  forge: ['forge'],
  neoforge: ['neoforge'],
  paper: ['paper', 'spigot', 'bukkit', 'folia'],
  velocity: ['velocity'],
};

/** Empty when the game has no loaders. */
export const acceptedLoaders = ({
  loader,
  gameVersion,
}: Pick<ModTarget, 'loader' | 'gameVersion'>): readonly string[] => {
  if (!loader) return [];
  // Its first version was Forge's under another name: https://neoforged.net/news/20.2release/
  if (loader === 'neoforge' && gameVersion === '1.20.1') return ['neoforge', 'forge'];
  return accepted[loader];
};

/** Whether a version can run on such a server; what it does not declare is no obstacle. */
export const fitsTarget = (
  { form, loaders, gameVersions }: Pick<SourceVersion, 'form' | 'loaders' | 'gameVersions'>,
  target: ModTarget,
): boolean => {
  if (!target.forms.includes(form)) return false;
  if (form === 'id' || form === 'folders') return true;
  const takes = acceptedLoaders(target);
  return (
    (loaders.length === 0 || takes.length === 0 || loaders.some((loader) => takes.includes(loader))) &&
    (gameVersions.length === 0 || target.gameVersion === null || gameVersions.includes(target.gameVersion))
  );
};

/** Newest first; ties always come in the same order. */
export const newestFirst = (
  a: Pick<SourceVersion, 'publishedAt' | 'id'>,
  b: Pick<SourceVersion, 'publishedAt' | 'id'>,
): number => b.publishedAt.localeCompare(a.publishedAt) || b.id.localeCompare(a.id);
