import { Button, Group, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { placeholders } from '#contracts/store/store.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { CommandFields } from './product-draft.ts';
import { storeWords } from './store.words.ts';

export const CommandFieldsView = ({
  line,
  onChange,
}: {
  readonly line: CommandFields;
  readonly onChange: (line: CommandFields) => void;
}) => {
  const words = useWords(storeWords);
  const input = useRef<HTMLInputElement>(null);
  const change = (changes: Partial<CommandFields>) => onChange({ ...line, ...changes });
  const insert = (name: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    const start = selectionStart ?? line.command.length;
    const end = selectionEnd ?? start;
    change({ command: `${line.command.slice(0, start)}{${name}}${line.command.slice(end)}` });
    input.current?.focus();
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {words.commandRight}
      </Text>
      <TextInput
        ref={input}
        label={words.command}
        description={words.commandHelp}
        value={line.command}
        onChange={({ currentTarget }) => change({ command: currentTarget.value })}
        required
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group gap={6}>
        {placeholders.map((name) => (
          <Button
            key={name}
            size="compact-xs"
            variant="default"
            title={words.insert(words.placeholders[name])}
            onClick={() => insert(name)}
          >
            <Text span ff="monospace" size="xs">{`{${name}}`}</Text>
            <Text span size="xs" c="dimmed" ms={6}>
              {words.placeholders[name]}
            </Text>
          </Button>
        ))}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Textarea
          label={words.success}
          description={words.successHelp}
          value={line.success}
          onChange={({ currentTarget }) => change({ success: currentTarget.value })}
          autosize
          minRows={2}
          spellCheck={false}
        />
        <Textarea
          label={words.failure}
          description={words.failureHelp}
          value={line.failure}
          onChange={({ currentTarget }) => change({ failure: currentTarget.value })}
          autosize
          minRows={2}
          spellCheck={false}
        />
      </SimpleGrid>
      <Switch
        label={words.needsPlayer}
        checked={line.needsPlayer}
        onChange={({ currentTarget }) => change({ needsPlayer: currentTarget.checked })}
      />
      <TextInput
        label={words.counterCommand}
        description={words.counterCommandHelp}
        value={line.counterCommand}
        onChange={({ currentTarget }) => change({ counterCommand: currentTarget.value })}
        required={line.lasts !== null}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </>
  );
};
