import { Button, Code, Group, Progress, Stack, Text } from '@mantine/core';
import { processEndText, shownCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { type PowerAct, powerHttp, type ServerPower } from '#contracts/servers/power.ts';
import { useChange } from '../../kit/api/queries.ts';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { plainText } from '../plain-text.ts';
import { powerWords } from './power.words.ts';
import { isCountdown, stepInWords } from './step-words.ts';

/** The act in progress on the server, step by step, and a cancel button for as long as it can be cancelled. */
export const RunningAct = (props: {
  readonly serverId: string;
  readonly act: PowerAct;
  readonly mayCancel: boolean;
}) => {
  const { serverId, act, mayCancel } = props;
  const words = useWords(powerWords);
  const format = useFormat();
  const cancel = useChange(powerHttp.cancel, [powerHttp.read]);
  const { progress } = act;
  const stops = act.action === 'stop' || act.action === 'restart';
  // Once the game has been told to stop, nothing can take that back.
  const isCancellable =
    mayCancel && stops && !act.isCancelled && (progress === null || isCountdown(progress));
  return (
    <Stack gap="xs" role="status">
      <Group justify="space-between">
        <Text>
          <Text span fw={600}>
            {words.under[act.action]}
          </Text>{' '}
          ({words.by(act.byName)})
        </Text>
        {isCancellable && (
          <Button
            size="xs"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ params: { serverId, actId: act.id } })}
          >
            {words.cancel}
          </Button>
        )}
      </Group>
      <Text size="sm">
        {progress ? stepInWords(progress, words.steps, format) : words.waitsForAgent}
        {act.isCancelled && ` – ${words.cancelled}`}
      </Text>
      {progress?.total ? (
        <Progress value={(progress.done / progress.total) * 100} aria-label={words.progress} />
      ) : null}
      {cancel.error && <Trouble error={cancel.error} />}
    </Stack>
  );
};

/** The last lines of output show why the game ended. */
const showEnd = (lines: HTMLElement | null): void => {
  if (lines) lines.scrollTop = lines.scrollHeight;
};

export const LastCrash = ({ crash }: { readonly crash: NonNullable<ServerPower['lastCrash']> }) => {
  const words = useWords(powerWords);
  const { exitCode, signal, lines, at } = crash;
  const language = useLanguage();
  const why = exitCode === null ? null : processEndText(exitCode, language);
  return (
    <Stack gap="xs">
      <Text size="sm">
        <Text span fw={600}>
          {words.crash}
        </Text>{' '}
        <TimeAgo at={at} />:{' '}
        {exitCode !== null
          ? words.exitCode(shownCode(exitCode))
          : signal === null
            ? words.noExit
            : words.signal(signal)}
      </Text>
      {why !== null && <Text size="sm">{why}</Text>}
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.noLines}
        </Text>
      ) : (
        <Code
          block
          ref={showEnd}
          tabIndex={0}
          role="region"
          aria-label={words.crashLines}
          dir="ltr"
          mah="16rem"
          style={{ overflow: 'auto' }}
        >
          {lines.map(plainText).join('\n')}
        </Code>
      )}
    </Stack>
  );
};
