import { dialog } from 'electron';
import { product } from '#contracts/kernel/product.ts';
import type { UpdateWords } from './update-words.ts';

/** An unattended machine goes back by itself. */
const answerWithinSeconds = 60;

/** Whether to leave a version that does not run; no answer counts as yes, since there seems to be no one to repair it. */
export const confirmRollback = async ({
  message,
  installed,
  wayBack,
  words,
}: {
  readonly message: string;
  readonly installed: string;
  readonly wayBack: string;
  readonly words: UpdateWords;
}): Promise<boolean> => {
  const timeUp = AbortSignal.timeout(answerWithinSeconds * 1000);
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    title: product.name,
    message,
    detail: `${words.goingBack(wayBack, answerWithinSeconds)} ${words.dataStays}`,
    buttons: [words.goBack(wayBack), words.stay(installed)],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
    signal: timeUp,
  });
  return response === 0 || timeUp.aborted;
};
