import { ActionIcon, Menu, Text, Tooltip } from '@mantine/core';
import { IconBookmark, IconPencil, IconPlus } from '@tabler/icons-react';
import type { SavedCommand } from '#contracts/console.ts';
import type { GameId } from '#contracts/games.ts';
import { useWords } from '../../../language/use-words.ts';
import { consoleWords } from './console.words.ts';

export interface SavedMenuProps {
  readonly saved: readonly SavedCommand[];
  readonly game: GameId;
  readonly typed: string;
  /** They are shared by everyone: a person with only one server may pick them, but not change them. */
  readonly mayChange: boolean;
  readonly onPick: (command: string) => void;
  readonly onManage: () => void;
  readonly onSave: () => void;
}

/** The saved commands, to put into the line. */
export const SavedMenu = ({ saved, game, typed, mayChange, onPick, onManage, onSave }: SavedMenuProps) => {
  const words = useWords(consoleWords);
  const fitting = saved.filter((one) => one.game === null || one.game === game);
  return (
    <Menu position="top-start" width={280} withInitialFocusPlaceholder={false}>
      {/* Around the target: inside it, it would hide from the button that it opens a menu. */}
      <Tooltip label={words.savedCommands}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.savedCommands}>
            <IconBookmark size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown mah="50vh" style={{ overflowY: 'auto' }}>
        {fitting.length === 0 && <Menu.Label>{words.noSaved}</Menu.Label>}
        {fitting.map(({ id, name, command }) => (
          <Menu.Item key={id} onClick={() => onPick(command)}>
            <bdi>{name}</bdi>
            <Text size="xs" c="dimmed" ff="monospace" lineClamp={1}>
              <bdi>{command}</bdi>
            </Text>
          </Menu.Item>
        ))}
        {mayChange && (
          <>
            <Menu.Divider />
            {typed.trim() !== '' && (
              <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={onSave}>
                {words.saveThis}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onManage}>
              {words.manageSaved}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};
