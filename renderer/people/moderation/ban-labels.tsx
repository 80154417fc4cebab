import type { Ban, BanPlaceState } from '#contracts/people/bans.ts';
import { games } from '#contracts/servers/games.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { placeTones, reachOf } from './ban-reach.ts';
import { bansWords } from './bans.words.ts';

/** The progress of a ban, or of its end. */
export const BanReachLabel = ({ ban }: { readonly ban: Ban }) => {
  const words = useWords(bansWords);
  const { done, all, isHeld, tone } = reachOf(ban);
  if (all === 0) {
    const { never = 0 } = ban.places;
    // The servers' states are deleted some time after a ban ends.
    const over = never > 0 ? words.neverBrought : words.ended;
    return <StateLabel tone="idle">{ban.endedAt ? over : words.noServerYet}</StateLabel>;
  }
  if (isHeld) return <StateLabel tone={tone}>{words.states.held}</StateLabel>;
  return <StateLabel tone={tone}>{(ban.endedAt ? words.lifted : words.inForce)(done, all)}</StateLabel>;
};

export const BanPlaceLabel = ({ state }: { readonly state: BanPlaceState }) => {
  const words = useWords(bansWords);
  return <StateLabel tone={placeTones[state]}>{words.states[state]}</StateLabel>;
};

/** The scope of a ban. */
export const useBanScope = (): ((ban: Ban) => string) => {
  const words = useWords(bansWords);
  return ({ game, isEverywhere, serverIds }) => {
    const { name } = games[game];
    if (!isEverywhere) return words.chosen(serverIds.length);
    return serverIds.length === 0 ? words.everywhere(name) : words.everywhereBut(name, serverIds.length);
  };
};

/** How long a ban lasts, or how it ended. */
export const useBanEnd = (): ((ban: Ban) => string) => {
  const words = useWords(bansWords);
  const format = useFormat();
  return ({ until, endedHow, endedBy }) => {
    if (endedHow === 'expired') return words.expired;
    if (endedHow === 'lifted') return words.liftedBy(endedBy?.name ?? '–');
    return until === null
      ? words.untilLifted
      : words.untilTime(`${format.date(until)}, ${format.time(until)}`);
  };
};

/** An erased player has no name. */
export const BanName = ({ ban }: { readonly ban: Pick<Ban, 'playerName'> }) => {
  const words = useWords(bansWords);
  return ban.playerName === '' ? words.erased : <bdi>{ban.playerName}</bdi>;
};
