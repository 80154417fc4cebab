import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { consoleHttp, type SavedCommand } from '#contracts/console.ts';
import { type GameId, gameIds, games, longestCommand } from '#contracts/games.ts';
import { ConflictNotice } from '../../../design/conflict-notice.tsx';
import { designWords } from '../../../design/design.words.ts';
import { FormDialog } from '../../../design/form-dialog.tsx';
import { useWords } from '../../../language/use-words.ts';
import { isConflict } from '../../../wire/api-problem.ts';
import { call } from '../../../wire/call.ts';
import { useChange } from '../../../wire/queries.ts';
import { consoleWords } from './console.words.ts';

export interface SavedCommandStart {
  /** Absent: a new one is made. */
  readonly of?: SavedCommand;
  readonly command?: string;
  readonly game?: GameId;
}

export interface SavedCommandFormProps {
  readonly start: SavedCommandStart;
  readonly onDone: () => void;
}

const everyGame = '';

export const SavedCommandForm = ({ start, onDone }: SavedCommandFormProps) => {
  const words = useWords(consoleWords).saved;
  const general = useWords(designWords);
  const [of, setOf] = useState(start.of);
  const [name, setName] = useState(of?.name ?? '');
  const [command, setCommand] = useState(of?.command ?? start.command ?? '');
  const [game, setGame] = useState<GameId | null>(of ? of.game : (start.game ?? null));
  const [theirs, setTheirs] = useState<SavedCommand | null>(null);
  const create = useChange(consoleHttp.saveCommand, [consoleHttp.savedCommands]);
  const change = useChange(consoleHttp.changeSavedCommand, [consoleHttp.savedCommands]);
  const active = of ? change : create;

  const learnTheirs = async (error: Error) => {
    if (!isConflict(error)) return;
    const { rows } = await call(consoleHttp.savedCommands, {});
    setTheirs(rows.find(({ id }) => id === of?.id) ?? null);
  };
  const save = (version = of?.version ?? 0) => {
    const body = { name, command, game };
    if (!of) return create.mutate({ body }, { onSuccess: onDone });
    const input = { params: { id: of.id }, body: { version, ...body } };
    change.mutate(input, { onSuccess: onDone, onError: learnTheirs });
  };
  const take = (other: SavedCommand) => {
    setOf(other);
    setName(other.name);
    setCommand(other.command);
    setGame(other.game);
    setTheirs(null);
    change.reset();
  };

  return (
    <FormDialog
      title={start.of ? words.change : words.add}
      act={general.save}
      isActing={active.isPending}
      error={theirs ? null : active.error}
      onSubmit={() => save()}
      onClose={onDone}
    >
      <TextInput
        label={words.name}
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
      {theirs && (
        <ConflictNotice
          title={words.conflict}
          isSaving={change.isPending}
          onTakeTheirs={() => take(theirs)}
          onKeepMine={() => save(theirs.version)}
        >
          <Text>
            <bdi>{theirs.name}</bdi>: <bdi>{theirs.command}</bdi>
          </Text>
        </ConflictNotice>
      )}
    </FormDialog>
  );
};
