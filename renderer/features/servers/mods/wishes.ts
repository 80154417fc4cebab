import type { ChangeWish, PlanFault } from '#contracts/mods.ts';

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
