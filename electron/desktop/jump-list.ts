import type { App } from 'electron';
import { jumpActs, jumpArgument } from '#contracts/kernel/jump-acts.ts';
import type { DesktopWords } from './desktop-words.ts';

/** @param before arguments that each start of the program needs */
export const jumpTasks = (words: DesktopWords, program: string, before: readonly string[]) =>
  jumpActs.map((act) => ({
    program,
    arguments: [...before, jumpArgument(act)].map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' '),
    title: words[act],
    description: words[act],
    iconPath: program,
    iconIndex: 0,
  }));

/** Windows keeps it, even while the program does not run. Other systems have their menus elsewhere. */
export const offerJumpList = (app: App, words: DesktopWords, entry: string): void => {
  if (process.platform !== 'win32') return;
  app.setUserTasks(jumpTasks(words, app.getPath('exe'), app.isPackaged ? [] : [entry]));
};
