import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { playerActions } from '#contracts/players.ts';
import { useWords } from '../language/use-words.ts';
import { ActionDialog, type ActionDialogProps, type PlayerAction } from './action-dialog.tsx';
import { moderationWords } from './moderation.words.ts';

export type ActionButtonsProps = Omit<ActionDialogProps, 'action' | 'onClose'>;

const shownFirst: readonly PlayerAction[] = ['message', 'kick'];

/** The orders that can be given about a player. */
export const ActionButtons = (props: ActionButtonsProps) => {
  const words = useWords(moderationWords);
  const [action, setAction] = useState<PlayerAction | null>(null);
  return (
    <>
      {shownFirst.map((each) => (
        <Button key={each} variant="default" onClick={() => setAction(each)}>
          {words.menu[each]}
        </Button>
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {words.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {playerActions
            .filter((each) => !shownFirst.includes(each))
            .map((each) => (
              <Menu.Item key={each} onClick={() => setAction(each)}>
                {words.menu[each]}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {action && <ActionDialog {...props} action={action} onClose={() => setAction(null)} />}
    </>
  );
};
