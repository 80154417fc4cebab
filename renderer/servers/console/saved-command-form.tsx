import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { consoleHttp, type SavedCommand } from '#contracts/servers/console.ts';
import { type GameId, gameIds, games, longestCommand } from '#contracts/servers/games.ts';
import { useChange } from '../../kit/api/queries.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { consoleWords } from './console.words.ts';

export interface SavedCommandStart {
  /** Absent: creates a new one. */
  readonly of?: SavedCommand;
  readonly command?: string;
  readonly game?: GameId;
}

const everyGame = '';

export const SavedCommandForm = (props: {
  readonly start: SavedCommandStart;
  /** The current state in the API. */
  readonly newest: SavedCommand | undefined;
  readonly onDone: () => void;
}) => {
  const { start, newest, onDone } = props;
  const words = useWords(consoleWords).saved;
  const general = useWords(designWords);
  const { of } = start;
  const nameInput = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(of?.name ?? '');
  const [command, setCommand] = useState(of?.command ?? start.command ?? '');
  const [game, setGame] = useState<GameId | null>(of ? of.game : (start.game ?? null));
  const create = useChange(consoleHttp.saveCommand, [consoleHttp.savedCommands]);
  const change = useChange(consoleHttp.changeSavedCommand, [consoleHttp.savedCommands]);
  const errorOf = useFieldErrors(create.error ?? change.error);
  const form = useVersionedForm({
    version: of?.version ?? 0,
    newest,
    async send(version) {
      const body = { name, command, game };
      if (of) await change.mutateAsync({ params: { id: of.id }, body: { version, ...body } });
      else await create.mutateAsync({ body });
      onDone();
      return name;
    },
    show(theirs) {
      setName(theirs.name);
      setCommand(theirs.command);
      setGame(theirs.game);
      // The button disappears with the choice.
      nameInput.current?.focus();
    },
  });

  return (
    <VersionedDialog
      form={form}
      title={of ? words.change : words.add}
      act={general.save}
      conflictTitle={words.conflict}
      theirs={(theirs) => (
        <Text>
          <bdi>{theirs.name}</bdi>: <bdi>{theirs.command}</bdi>
          {` (${theirs.game === null ? words.everyGame : games[theirs.game].name})`}
        </Text>
      )}
      onClose={onDone}
    >
      <TextInput
        ref={nameInput}
        label={words.name}
        error={errorOf('name')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={80}
        data-autofocus
      />
      <TextInput
        label={words.command}
        value={command}
        onChange={({ currentTarget }) => setCommand(currentTarget.value)}
        required
        maxLength={longestCommand}
        ff="monospace"
      />
      <NativeSelect
        label={words.game}
        value={game ?? everyGame}
        onChange={({ currentTarget }) => setGame(gameIds.find((id) => id === currentTarget.value) ?? null)}
        data={[
          { value: everyGame, label: words.everyGame },
          ...gameIds.map((value) => ({ value, label: games[value].name })),
        ]}
      />
    </VersionedDialog>
  );
};
