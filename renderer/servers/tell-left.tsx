import type { Format } from '#contracts/kernel/format.ts';
import { isolated } from '#contracts/kernel/isolated.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import { notifyLeft } from '../kit/design/notify.ts';
import { leftOf, type ManyResult } from './many-players.ts';
import type { moderationWords } from './moderation.words.ts';

const mostNames = 10;

interface TellLeftOptions {
  readonly ended: readonly { readonly name: string; readonly result: ManyResult }[];
  readonly words: InWords<(typeof moderationWords)['en']>['many'];
  readonly format: Pick<Format, 'list'>;
}

export const listNames = (
  names: readonly string[],
  { words, format }: Pick<TellLeftOptions, 'words' | 'format'>,
): string => {
  const shown = names.slice(0, mostNames).map(isolated);
  return format.list(
    names.length > mostNames ? [...shown, words.moreNames(names.length - mostNames)] : shown,
  );
};

/** Says what the closed dialog would have shown: who was left out, and whose result is unknown. It stays until it is closed. */
export const tellLeft = ({ ended, words, format }: TellLeftOptions): void => {
  const { notDone, unsure } = leftOf(ended);
  const done = ended.length - notDone.length - unsure.length;
  notifyLeft(
    null,
    words.left(done, ended.length),
    <>
      {notDone.length > 0 && <div>{words.notDone(listNames(notDone, { words, format }))}</div>}
      {unsure.length > 0 && <div>{words.unsure(listNames(unsure, { words, format }))}</div>}
    </>,
  );
};
