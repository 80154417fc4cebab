import { wordedDetail } from './problem-words.ts';
import { useLanguage } from './use-words.ts';

/** Translates a component's description of its state into the reader's language; text without a code stays unchanged. */
export const useTold = (): ((detail: string) => string) => {
  const language = useLanguage();
  return (detail) => wordedDetail(detail, language);
};
