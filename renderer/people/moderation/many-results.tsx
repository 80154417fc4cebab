import { Group, Progress, Stack, Text } from '@mantine/core';
import { ApiAway } from '../../kit/api/api-problem.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ActionReport } from '../../servers/action-report.tsx';
import type { ManyResult } from '../../servers/many-players.ts';
import { moderationWords } from '../../servers/moderation.words.ts';
import { OutcomeLabel } from '../../servers/outcome-label.tsx';

/** The result for each of the selected, by name. */
export const ManyResults = ({
  rows,
  results,
}: {
  readonly rows: readonly { readonly key: string; readonly name: string; readonly where: string }[];
  /** By the keys of the rows; null: nothing was started. */
  readonly results: ReadonlyMap<string, ManyResult | 'running'> | null;
}) => {
  const { many: words } = useWords(moderationWords);
  const done = [...(results?.values() ?? [])].filter(
    (result) => result !== 'running' && !('isSent' in result),
  ).length;
  return (
    <div>
      <Text fw={600}>{words.players}</Text>
      <div role="status">{results && <Text size="sm">{words.progress(done, rows.length)}</Text>}</div>
      {results && <Progress value={(done / Math.max(1, rows.length)) * 100} my="xs" aria-hidden />}
      <Stack component="ul" gap="xs" mah="40vh" p={0} m={0} style={{ overflowY: 'auto', listStyle: 'none' }}>
        {rows.map(({ key, name, where }) => (
          <li key={key}>
            <Group gap="sm" justify="space-between">
              <span>
                <bdi>{name}</bdi>{' '}
                <Text span size="sm" c="dimmed">
                  <bdi>{where}</bdi>
                </Text>
              </span>
              <Brief result={results?.get(key)} isBegun={results !== null} />
            </Group>
            <Told result={results?.get(key)} />
          </li>
        ))}
      </Stack>
    </div>
  );
};

const Unanswered = () => {
  const { many: words } = useWords(moderationWords);
  return (
    <>
      <StateLabel tone="warn">{words.noAnswer}</StateLabel>
      <Text size="sm">{words.noAnswerText}</Text>
    </>
  );
};

const Brief = (props: { readonly result: ManyResult | 'running' | undefined; readonly isBegun: boolean }) => {
  const { many: words } = useWords(moderationWords);
  const { result, isBegun } = props;
  if (result === 'running') return <OutcomeLabel outcome={null} isGameError={false} />;
  if (result && 'ban' in result) return <StateLabel tone="ok">{words.banned}</StateLabel>;
  if (result && 'isSent' in result) return <StateLabel tone="idle">{words.notSent}</StateLabel>;
  if (result || !isBegun) return null;
  return (
    <Text size="sm" c="dimmed">
      {words.waiting}
    </Text>
  );
};

const Told = ({ result }: { readonly result: ManyResult | 'running' | undefined }) => {
  if (!result || result === 'running') return null;
  if ('report' in result) return <ActionReport report={result.report} />;
  if (!('error' in result)) return null;
  // The result is unknown: another attempt might do it twice.
  if (result.error instanceof ApiAway) return <Unanswered />;
  return <Trouble error={result.error} />;
};
