import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useId } from 'react';
import { create } from 'zustand';
import { useMe } from '../../../kit/access/access-state.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import classes from './api.module.css';
import { apiWords } from './api.words.ts';
import { keyVariable, type Shell, shells } from './curl-command.ts';
import { keyIn, setPasted, usePastedText } from './pasted-key.ts';

const useCurlStore = create<{ readonly shell: Shell }>(() => ({
  shell: navigator.platform.startsWith('Win') ? 'powershell' : 'bash',
}));

export const useShell = (): Shell => useCurlStore(({ shell }) => shell);

/** The pasted key; null: nothing pasted, or nothing that could be a key. */
export const usePastedKey = (): string | null => keyIn(usePastedText(useMe().id));

/** The shell of the commands, and their key. */
export const CurlSettings = () => {
  const words = useWords(apiWords);
  const label = useId();
  const me = useMe();
  const shell = useShell();
  const pasted = usePastedText(me.id);
  const isWrong = pasted.trim() !== '' && keyIn(pasted) === null;
  return (
    <div className={classes.settings}>
      <Stack gap={4}>
        <Text fw={500} size="sm" id={label}>
          {words.shell}
        </Text>
        <SegmentedControl
          aria-labelledby={label}
          data={shells.map((value) => ({ value, label: words.shells[value] }))}
          value={shell}
          onChange={(value) => useCurlStore.setState({ shell: value })}
        />
      </Stack>
      <TextInput
        // The pasted key is not shown again.
        type="password"
        className={classes.key}
        label={words.key}
        description={words.keyHelp(keyVariable)}
        value={pasted}
        onChange={({ currentTarget }) => setPasted(me.id, currentTarget.value)}
        error={isWrong && words.keyWrong}
        maxLength={400}
        // Keeps password managers from storing it.
        autoComplete="one-time-code"
        data-1p-ignore
        spellCheck={false}
      />
    </div>
  );
};
