import { Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ServerPlayers } from '#contracts/people/players.ts';
import { type GameId, hasPlayerAction, type PlayerAction } from '#contracts/servers/games.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { playersWords } from '../../servers/players.words.ts';
import classes from './players.module.css';

const actions = ['message', 'kick', 'ban', 'whitelist-add', 'whitelist-remove'] as const;

export const PlayerRow = (props: {
  readonly player: NonNullable<ServerPlayers['players']>[number];
  readonly game: GameId;
  readonly mayAct: boolean;
  readonly onAction: (action: PlayerAction) => void;
}) => {
  const { player, game, mayAct, onAction } = props;
  const words = useWords(playersWords);
  const { menu } = useWords(moderationWords);
  const { playerId, name, platformId, joinedAt } = player;
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <PanelLink to={`/players/${encodeURIComponent(playerId)}`} fw={600}>
          <bdi>{name}</bdi>
        </PanelLink>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" c="dimmed" component="span">
            <bdi>{platformId ?? words.noPlatformId}</bdi>
          </Text>
          {platformId !== null && <CopyButton value={platformId} label={words.copyId} />}
        </Group>
      </div>
      <Text size="sm" c="dimmed" component="span">
        {words.joined} <TimeAgo at={joinedAt} />
      </Text>
      {mayAct && (
        <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              rightSection={<IconChevronDown size={14} aria-hidden />}
              aria-label={words.actsFor(name)}
            >
              {words.acts}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {actions
              .filter((action) => hasPlayerAction(game, action))
              .map((action) => (
                <Menu.Item key={action} onClick={() => onAction(action)}>
                  {menu[action]}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
};
