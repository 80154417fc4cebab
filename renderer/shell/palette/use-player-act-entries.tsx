import { IconBan, IconDoorExit, IconListCheck, IconMessage } from '@tabler/icons-react';
import { languages } from '#contracts/kernel/language.ts';
import { hasPlayerAction } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { notifyDone } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { ActionDialog } from '../../people/moderation/action-dialog.tsx';
import { useServerNames } from '../../servers/use-server-names.ts';
import type { ChosenPlayer, Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

/** The same question as on the player's own page, with the server that the player was selected on. */
const PlayerAct = (props: {
  readonly player: ChosenPlayer;
  readonly action: 'kick' | 'message' | 'ban' | 'whitelist-add';
  readonly onClose: () => void;
}) => {
  const { player, action, onClose } = props;
  const words = useWords(paletteWords);
  const can = useCan();
  const { servers } = useServerNames();
  const here = player.onlineOn;
  const open = servers.filter(({ id }) => can('players.write', id));
  // On a server of another game a command would mean a different player, unless they are there.
  const offered = open.filter(
    ({ id, game }) => (game === player.game || id === here) && hasPlayerAction(game, action),
  );
  const chosen = offered.find(({ id }) => id === here) ?? (offered.length === 1 ? offered[0] : undefined);
  return (
    <ActionDialog
      player={player}
      action={action}
      game={chosen?.game ?? player.game}
      servers={offered}
      serverId={chosen?.id ?? null}
      onDone={() => {
        if (action !== 'ban') notifyDone(words.playerActsDone[action](player.name));
        onClose();
      }}
      onClose={onClose}
    />
  );
};

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
