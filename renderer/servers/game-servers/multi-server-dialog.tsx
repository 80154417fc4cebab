import { Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ModerationReport, playersHttp } from '#contracts/people/players.ts';
import { type ConsoleEntry, consoleHttp } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { longestCommand } from '#contracts/servers/games.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone, notifyLeft } from '../../kit/design/notify.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { EachResult } from '../../kit/work/run-each.ts';
import { useEach } from '../../kit/work/use-each.ts';
import { ActionReport } from '../action-report.tsx';
import { ReplyText } from '../console/reply-text.tsx';
import { moderationWords } from '../moderation.words.ts';
import { EntryOutcome, OutcomeLabel } from '../outcome-label.tsx';
import { outcomesWords } from '../outcomes.words.ts';
import { listNames } from '../tell-left.tsx';
import { serversWords } from './servers.words.ts';

type ServerResult = { readonly entry: ConsoleEntry } | { readonly report: ModerationReport };

/** Whether a server has certainly accepted it. */
const isSuccess = (result: EachResult<ServerResult>): boolean =>
  ('entry' in result && result.entry.outcome === 'answered') ||
  ('report' in result && result.report.verdict === 'done');

export type MultiServerKind = 'broadcast' | 'command';

const longestMessage = 300;

const runOn = async (kind: MultiServerKind, serverId: string, text: string): Promise<ServerResult> => {
  if (kind === 'broadcast')
    return { report: await sendChange(playersHttp.broadcast, { params: { id: serverId }, body: { text } }) };
  const { entries } = await sendChange(consoleHttp.run, { body: { serverIds: [serverId], command: text } });
  const [entry] = entries;
  if (!entry) throw new Error('no entry');
  return { entry };
};

/** The same message or command for several servers, with the result for each. */
export const MultiServerDialog = (props: {
  readonly kind: MultiServerKind;
  readonly chosen: readonly GameServer[];
  /** All of them have accepted it. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}) => {
  const { kind, chosen, onDone, onClose } = props;
  const words = useWords(serversWords).many;
  const general = useWords(designWords);
  const format = useFormat();
  const people = useWords(moderationWords).many;
  const outcomes = useWords(outcomesWords);
  const [text, setText] = useState('');
  const isCommand = kind === 'command';

  const { results, isRunning, begin } = useEach({
    run: ({ key }: { readonly key: string; readonly name: string }) => runOn(kind, key, text.trim()),
    onEnd(ended, isGone) {
      const left = ended.filter(({ result }) => !isSuccess(result));
      const said = words.left(ended.length - left.length, ended.length);
      if (isGone && left.length === 0) notifyDone(said);
      else if (isGone)
        notifyLeft(
          null,
          said,
          words.seeHistory(
            listNames(
              left.map(({ item }) => item.name),
              { words: people, format },
            ),
          ),
        );
      else if (left.length === 0) onDone();
    },
  });
  const done = [...(results?.values() ?? [])].filter((result) => result !== 'running').length;

  return (
    <FormDialog
      title={isCommand ? words.commandTitle : words.broadcastTitle}
      size="lg"
      act={words.send}
      leave={general.close}
      isActing={isRunning}
      onSubmit={() => {
        if (text.trim() !== '') void begin(chosen.map(({ id, name }) => ({ key: id, name })));
      }}
      onClose={onClose}
    >
      <TextInput
        label={isCommand ? words.command : words.message}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        required
        maxLength={isCommand ? longestCommand : longestMessage}
        spellCheck={!isCommand}
        autoComplete="off"
        data-autofocus
      />
      <div>
        <Text fw={600}>{results ? words.results : words.servers}</Text>
        <div role="status">{results && <Text size="sm">{words.progress(done, chosen.length)}</Text>}</div>
        {results && <Progress value={(done / chosen.length) * 100} my="xs" aria-hidden />}
        <Stack gap="xs" mah="50vh" style={{ overflowY: 'auto' }}>
          {chosen.map(({ id, name }) => {
            const result = results?.get(id);
            return (
              <div key={id}>
                <Group gap="sm" justify="space-between">
                  <bdi>{name}</bdi>
                  {result === 'running' && <OutcomeLabel outcome={null} isGameError={false} />}
                  {results && !result && (
                    <Text size="sm" c="dimmed">
                      {words.waiting}
                    </Text>
                  )}
                  {result && result !== 'running' && 'isSent' in result && (
                    <StateLabel tone="idle">{words.notSent}</StateLabel>
                  )}
                  {result && result !== 'running' && 'entry' in result && (
                    <EntryOutcome entry={result.entry} />
                  )}
                </Group>
                {result && result !== 'running' && 'report' in result && (
                  <ActionReport report={result.report} />
                )}
                {result && result !== 'running' && 'error' in result && <Trouble error={result.error} />}
                {result && result !== 'running' && 'entry' in result && (
                  <>
                    {result.entry.outcome === 'answered' && (
                      <ReplyText reply={result.entry.reply ?? ''} isTruncated={result.entry.truncated} />
                    )}
                    {result.entry.outcome !== null && result.entry.outcome !== 'answered' && (
                      <Text size="sm">{outcomes.remedies[result.entry.outcome]}</Text>
                    )}
                  </>
                )}
              </div>
            );
          })}
        </Stack>
      </div>
      {isRunning && (
        <Text size="sm" c="dimmed">
          {words.mayLeave}
        </Text>
      )}
    </FormDialog>
  );
};
