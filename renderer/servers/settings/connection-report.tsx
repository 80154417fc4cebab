import { Alert, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { serversWords } from '../game-servers/servers.words.ts';
import { outcomesWords } from '../outcomes.words.ts';
import type { TestedConnection } from './use-connection-test.ts';

/** The result of a connection test, in words. */
export const ConnectionReportView = ({ tested }: { readonly tested: TestedConnection }) => {
  const words = useWords(serversWords).form;
  const outcomes = useWords(outcomesWords);
  const format = useFormat();
  const told = useTold();
  const { report, isTesting, error } = tested;
  return (
    <div role="status">
      {isTesting && (
        <Group gap="xs">
          <Loader size="xs" aria-hidden />
          <Text>{words.testing}</Text>
        </Group>
      )}
      {!isTesting && error && <Trouble error={error} />}
      {!isTesting && report?.outcome === 'answered' && (
        <Alert
          color="var(--tone-ok)"
          variant="outline"
          icon={<IconCheck aria-hidden />}
          title={words.answered}
        >
          {report.latencyMs !== null && words.answeredText(format.milliseconds(report.latencyMs))}{' '}
          {report.players !== null && words.playersNow(report.players)}
        </Alert>
      )}
      {!isTesting && report && report.outcome !== 'answered' && (
        <Alert
          color="var(--tone-bad)"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={`${words.notAnswered}: ${outcomes.outcomes[report.outcome]}`}
        >
          <Text>{outcomes.remedies[report.outcome]}</Text>
          <Text size="sm" c="dimmed">
            <bdi>{told(report.detail)}</bdi>
          </Text>
        </Alert>
      )}
    </div>
  );
};
