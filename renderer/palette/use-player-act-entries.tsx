import { IconBan, IconDoorExit, IconListCheck, IconMessage } from '@tabler/icons-react';
import { hasPlayerAction } from '#contracts/games.ts';
import { languages } from '#contracts/language.ts';
import { useCan } from '../access/access-state.ts';
import { useWords } from '../language/use-words.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';
import { PlayerAct } from './player-act.tsx';

const icons = {
  message: IconMessage,
  kick: IconDoorExit,
  ban: IconBan,
  'whitelist-add': IconListCheck,
} as const;

/** The actions on a player, who is selected next. */
export const usePlayerActEntries = (): readonly Entry[] => {
  const words = useWords(paletteWords);
  const can = useCan();
  if (!can.somewhere('players.write') || !can.somewhere('players.read')) return [];
  return (['kick', 'message', 'ban', 'whitelist-add'] as const).map((action): Entry => {
    const Icon = icons[action];
    return {
      id: `player-act:${action}`,
      group: 'acts',
      label: words.playerActs[action],
      also: languages.map((language) => paletteWords[language].playerActs[action]),
      icon: <Icon size={18} aria-hidden />,
      next: {
        of: 'players',
        isFor: ({ game }) => hasPlayerAction(game, action),
        show: (player, onClose) => <PlayerAct player={player} action={action} onClose={onClose} />,
      },
    };
  });
};
