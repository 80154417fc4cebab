import { VisuallyHidden } from '@mantine/core';
import { useAccess } from '../kit/access/access-state.ts';
import { useLiveState } from '../kit/api/live.ts';
import type { LiveState } from '../kit/api/live-client.ts';
import { ToneSign } from '../kit/design/state-label.tsx';
import { useWords } from '../kit/language/use-words.ts';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';

const tones = { live: 'ok', connecting: 'busy', away: 'bad' } as const satisfies Record<LiveState, string>;

/** Whether the page is updated live. That says nothing about the state of the stack; the overview's verdict does. */
export const Connection = ({ isSignOnly = false }: { readonly isSignOnly?: boolean }) => {
  const words = useWords(shellWords);
  const live = useLiveState();
  const isSignedIn = useAccess().state === 'signed-in';
  const shown = isSignedIn ? live : 'connecting';
  const says = { live: words.live, connecting: words.connecting, away: words.notConnected }[shown];
  return (
    <span className={classes.connection} role="status" title={says}>
      <ToneSign tone={tones[shown]} />
      {isSignOnly ? <VisuallyHidden>{says}</VisuallyHidden> : <span>{says}</span>}
    </span>
  );
};
