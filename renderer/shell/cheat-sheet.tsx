import { Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import { modKey } from '../kit/design/mod-key.ts';
import { useReturnFocus } from '../kit/design/use-return-focus.ts';
import { useWords } from '../kit/language/use-words.ts';
import classes from './cheat-sheet.module.css';
import { shellWords } from './shell.words.ts';
import { openDialog, setHasShortcuts, useHasShortcuts } from './shell-state.ts';
import { useAllShortcuts } from './shortcuts.ts';

const nameOf = (key: string): string =>
  key.startsWith('mod+') ? `${modKey} ${key.slice('mod+'.length).toUpperCase()}` : key;

/** All keys that do something on this page. */
export const CheatSheet = () => {
  useReturnFocus();
  const words = useWords(shellWords);
  const shortcuts = useAllShortcuts();
  const isOn = useHasShortcuts();
  return (
    <Modal opened onClose={() => openDialog(null)} title={words.shortcuts} size="lg">
      <Stack>
        <dl className={classes.keys}>
          {shortcuts.map(({ keys, label }) => (
            <div key={keys}>
              <dt>
                {keys.split(' ').map((key, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same key may be pressed twice, and they never move
                  <Kbd key={index}>{nameOf(key)}</Kbd>
                ))}
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
        </dl>
        <Switch
          checked={isOn}
          onChange={({ currentTarget }) => setHasShortcuts(currentTarget.checked)}
          label={words.shortcutsOn}
          description={words.shortcutsOnText}
        />
        <Text size="sm" c="dimmed">
          {words.shortcutsText}
        </Text>
      </Stack>
    </Modal>
  );
};
