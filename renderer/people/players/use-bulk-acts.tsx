import { IconBan, IconDoorExit, IconMessage } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { hasPlayerAction } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { BulkAction } from '../../kit/lists/list-props.ts';
import type { BanTarget, ManyTarget } from '../../servers/many-players.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { ManyBansDialog } from '../moderation/many-bans-dialog.tsx';
import { ManyOrdersDialog } from '../moderation/many-orders-dialog.tsx';
import type { PlayerLine } from './player-line.ts';

interface Doing {
  readonly action: 'message' | 'kick' | 'ban';
  readonly rows: readonly PlayerLine[];
  readonly onDone: () => void;
}

interface BulkActs {
  /** Absent: this person may not act on players. */
  readonly bulk?: readonly BulkAction<PlayerLine>[];
  readonly dialog: ReactNode;
}

const nameOf = ({ name }: PlayerLine) => name;
const iconSize = 16;

/** The bulk actions on players of the list, as far as this person may use them. */
export const useBulkActs = (servers: readonly GameServer[]): BulkActs => {
  const { menu } = useWords(moderationWords);
  const can = useCan();
  const [doing, setDoing] = useState<Doing | null>(null);
  const mayAct = can.somewhere('players.write');
  const bulk = useMemo((): readonly BulkAction<PlayerLine>[] => {
    const begin = (action: Doing['action']) => (rows: readonly PlayerLine[], onDone: () => void) =>
      setDoing({ action, rows, onDone });
    const isHere = (action: 'message' | 'kick') => (row: PlayerLine) =>
      placesOf(row, servers, can, action).length > 0;
    return [
      {
        label: menu.message,
        icon: <IconMessage size={iconSize} aria-hidden />,
        isFor: isHere('message'),
        nameOf,
        opens: begin('message'),
      },
      {
        label: menu.kick,
        icon: <IconDoorExit size={iconSize} aria-hidden />,
        isFor: isHere('kick'),
        nameOf,
        opens: begin('kick'),
      },
      {
        label: menu.ban,
        icon: <IconBan size={iconSize} aria-hidden />,
        isDestructive: true,
        isFor: ({ game }) =>
          servers.some((server) => server.game === game && can('players.write', server.id)),
        nameOf,
        opens: begin('ban'),
      },
    ];
  }, [menu, servers, can]);
  const targetsOf = (rows: readonly PlayerLine[], action: 'message' | 'kick') =>
    rows.flatMap((row) => placesOf(row, servers, can, action));
  const close = () => setDoing(null);
  return {
    ...(mayAct && { bulk }),
    dialog:
      doing &&
      (doing.action === 'ban' ? (
        <ManyBansDialog targets={banTargets(doing.rows)} onDone={doing.onDone} onClose={close} />
      ) : (
        <ManyOrdersDialog
          action={doing.action}
          targets={targetsOf(doing.rows, doing.action)}
          onDone={doing.onDone}
          onClose={close}
        />
      )),
  };
};

/** The servers that a player is on now, where this person may act and the game has this action. */
const placesOf = (
  { id, name, where }: PlayerLine,
  servers: readonly GameServer[],
  can: ReturnType<typeof useCan>,
  action: 'message' | 'kick',
): readonly ManyTarget[] =>
  where.state === 'on'
    ? where.places.flatMap(({ serverId }) => {
        const server = servers.find((one) => one.id === serverId);
        return server && can('players.write', serverId) && hasPlayerAction(server.game, action)
          ? [{ player: { id, name }, server }]
          : [];
      })
    : [];

/** A player in two lines is banned once. */
const banTargets = (rows: readonly PlayerLine[]): readonly BanTarget[] => {
  const byId = new Map(rows.map(({ id, name, game }) => [id, { id, name, game }]));
  return [...byId.values()].flatMap(({ id, name, game }) => (game === null ? [] : [{ id, name, game }]));
};
