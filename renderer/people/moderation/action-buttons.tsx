import { Button, Group, Menu } from '@mantine/core';
import { IconChevronDown, IconMessage } from '@tabler/icons-react';
import { useState } from 'react';
import { hasPlayerAction, type PlayerAction } from '#contracts/servers/games.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';

type ActionButtonsProps = Omit<ActionDialogProps, 'action' | 'onClose'>;

const moderating = ['kick', 'ban', 'unban'] as const satisfies readonly PlayerAction[];
const whitelisting = ['whitelist-add', 'whitelist-remove'] as const satisfies readonly PlayerAction[];

/** The actions on a player; hidden until there is a server to do them on. Harmful ones are in a menu, away from the most frequent ones. */
export const ActionButtons = (props: ActionButtonsProps) => {
  const words = useWords(moderationWords);
  const [action, setAction] = useState<PlayerAction | null>(null);
  const item = (each: PlayerAction) => (
    <Menu.Item key={each} onClick={() => setAction(each)}>
      {words.menu[each]}
    </Menu.Item>
  );
  const isHidden = props.servers.length === 0;
  return (
    <Group gap="xs" {...(isHidden && { style: { visibility: 'hidden' as const } })}>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {words.moderate}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {moderating.map(item)}
          {hasPlayerAction(props.game, 'whitelist-add') && (
            <>
              <Menu.Divider />
              {whitelisting.map(item)}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {hasPlayerAction(props.game, 'message') && (
        <Button leftSection={<IconMessage size={16} aria-hidden />} onClick={() => setAction('message')}>
          {words.menu.message}
        </Button>
      )}
      {action && <ActionDialog {...props} action={action} onClose={() => setAction(null)} />}
    </Group>
  );
};
