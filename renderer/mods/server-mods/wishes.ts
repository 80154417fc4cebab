import type { ChangeWish, PlanFault } from '#contracts/mods/mods.ts';

/** The wishes with a file that a person downloaded by hand, in place of the wish that it replaces. */
export const withUpload = (
  wishes: readonly ChangeWish[],
  { project, version }: Pick<PlanFault, 'project' | 'version'>,
  upload: string,
): readonly ChangeWish[] => {
  if (project === null || version === null) return wishes;
  const isForIt = (wish: ChangeWish): boolean => {
    if (wish.do === 'install') return wish.source === 'curseforge' && wish.project === project;
    if (wish.do === 'update') return wish.key === `curseforge:${project}`;
    return wish.do === 'install-upload' && wish.for?.project === project;
  };
  return [
    ...wishes.filter((wish) => !isForIt(wish)),
    { do: 'install-upload', upload, for: { project, version } },
  ];
};

/** The wishes with a part of an archive chosen, or not; an archive without such a part takes no notice. */
export const withPart = (
  wishes: readonly ChangeWish[],
  path: string,
  isChosen: boolean,
): readonly ChangeWish[] =>
  wishes.map((wish) => {
    if (wish.do !== 'install-upload' && wish.do !== 'install-address') return wish;
    const others = (wish.parts ?? []).filter((part) => part !== path);
    return { ...wish, parts: isChosen ? [...others, path] : others };
  });
