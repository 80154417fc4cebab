/** What the program offers on a right click in the taskbar, and in its menu entry on Linux, whether it runs or not. */
export const jumpActs = ['open', 'start', 'stop', 'logs'] as const;
export type JumpAct = (typeof jumpActs)[number];

const flag = '--do=';

/** The argument with which a start of the program names the act; a program that already runs is told of it. */
export const jumpArgument = (act: JumpAct): string => `${flag}${act}`;

/** @returns null if there is none, or an unknown one */
export const jumpActIn = (args: readonly string[]): JumpAct | null => {
  const said = args.find((arg) => arg.startsWith(flag))?.slice(flag.length);
  return jumpActs.find((act) => act === said) ?? null;
};

/** The arguments without the act, for a restart that must not repeat it. */
export const withoutJumpAct = (args: readonly string[]): string[] =>
  args.filter((arg) => !arg.startsWith(flag));
