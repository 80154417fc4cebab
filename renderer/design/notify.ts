import { notifications } from '@mantine/notifications';
import { problemWords } from '../language/problem-words.ts';
import { presentLanguage } from '../language/use-words.ts';

/** Says in passing that something is done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'green', withBorder: true });
};

/** Says in passing that something failed, where no form or dialog is left to say it. */
export const notifyTrouble = (error: unknown): void => {
  const { title, text, remedy } = problemWords(error, presentLanguage());
  notifications.show({
    title,
    message: remedy ? `${text} ${remedy}` : text,
    color: 'red',
    withBorder: true,
    autoClose: 15_000,
  });
};
