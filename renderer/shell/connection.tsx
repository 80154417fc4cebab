import { useAccess } from '../access/access-state.ts';
import { StateLabel } from '../design/state-label.tsx';
import { useWords } from '../language/use-words.ts';
import { useLiveState } from '../wire/live.ts';
import type { LiveState } from '../wire/live-client.ts';
import classes from './shell.module.css';
import { shellWords } from './shell.words.ts';

const tones = { live: 'ok', connecting: 'busy', away: 'bad' } as const satisfies Record<LiveState, string>;

/** Whether what is shown is what is. */
export const Connection = () => {
  const words = useWords(shellWords);
  const live = useLiveState();
  const isSignedIn = useAccess().state === 'signed-in';
  const shown = isSignedIn ? live : 'connecting';
  const says = { live: words.live, connecting: words.connecting, away: words.notConnected }[shown];
  return (
    <span className={classes.connection} role="status" title={says}>
      <StateLabel tone={tones[shown]}>{says}</StateLabel>
    </span>
  );
};
