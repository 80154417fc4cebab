import type { ModLoader } from '#contracts/agent-mods.ts';
import type { ModTarget, SourceVersion } from './mod-source.ts';

/**
 * Whose mods a loader takes, in the words of Modrinth's tags (https://api.modrinth.com/v2/tag/loader), the best fit first.
 * - Quilt loads mods of Fabric: https://quiltmc.org/en/about/faq/
 * - Paper loads plugins of Bukkit and Spigot: https://docs.papermc.io/paper/migration/ — and has the schedulers of Folia's:
 *   https://docs.papermc.io/paper/dev/folia-support/
 * - Purpur's own plugins are left out: that a server is Purpur cannot be told here.
 */
const accepted: Readonly<Record<ModLoader, readonly string[]>> = {
  fabric: ['fabric'],
  quilt: ['quilt', 'fabric'],
  forge: ['forge'],
  neoforge: ['neoforge'],
  paper: ['paper', 'spigot', 'bukkit', 'folia'],
  velocity: ['velocity'],
};

/** Empty where the game has no loaders. */
export const acceptedLoaders = ({
  loader,
  gameVersion,
}: Pick<ModTarget, 'loader' | 'gameVersion'>): readonly string[] => {
  if (!loader) return [];
  // Its first version was Forge's under another name: https://neoforged.net/news/20.2release/
  if (loader === 'neoforge' && gameVersion === '1.20.1') return ['neoforge', 'forge'];
  return accepted[loader];
};

/** Whether a version can be on such a server; what it does not tell of itself is no hindrance. */
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

/** The newest first; of those of the same moment, the same order each time. */
export const newestFirst = (
  a: Pick<SourceVersion, 'publishedAt' | 'id'>,
  b: Pick<SourceVersion, 'publishedAt' | 'id'>,
): number => b.publishedAt.localeCompare(a.publishedAt) || b.id.localeCompare(a.id);
