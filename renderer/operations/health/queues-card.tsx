import { Text } from '@mantine/core';
import { healthHttp } from '#contracts/operations/health.ts';
import { jobStates } from '#contracts/operations/queues.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { queuesWords } from '../stack-health/queues.words.ts';
import { FiguresTable } from './figures-table.tsx';
import { healthWords } from './health.words.ts';

/** The queues with their jobs by state; a queue from another version is shown by its own name. */
export const QueuesCard = ({ everyMs }: { readonly everyMs: number }) => {
  const words = useWords(healthWords);
  const format = useFormat();
  const queues = useRead(healthHttp.queues, {}, { everyMs });
  const { names: known, states } = useWords(queuesWords);
  const names: Readonly<Record<string, string>> = known;
  const failures = (count: number) =>
    count === 0 ? format.number(0) : <StateLabel tone="warn">{format.number(count)}</StateLabel>;
  return (
    <Card title={words.queues}>
      <Text size="sm" c="dimmed">
        {words.queuesText}
      </Text>
      <AsyncContent read={queues}>
        {({ queues: rows }) => (
          <FiguresTable
            label={words.queues}
            columns={[
              { header: words.queue },
              ...jobStates.map((state) => ({ header: states[state], isNumber: true })),
              { header: words.failures, isNumber: true },
            ]}
            rows={rows.map(({ name, counts, failuresTotal }) => ({
              id: name,
              cells: [
                <bdi key="name">{names[name] ?? name}</bdi>,
                ...jobStates.map((state) => format.number(counts[state])),
                failures(failuresTotal),
              ],
            }))}
          />
        )}
      </AsyncContent>
    </Card>
  );
};
