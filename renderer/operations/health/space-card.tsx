import { Text } from '@mantine/core';
import { logsHttp } from '#contracts/kernel/logs.ts';
import { pollMs, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FiguresTable } from './figures-table.tsx';
import { healthWords } from './health.words.ts';

/** The space that the records take, and how long they are kept. */
export const SpaceCard = () => {
  const words = useWords(healthWords);
  const format = useFormat();
  const usage = useRead(logsHttp.usage, {}, { everyMs: pollMs.rarely });
  return (
    <Card title={words.space}>
      <Text size="sm" c="dimmed">
        {words.spaceText}
      </Text>
      <AsyncContent read={usage}>
        {({ logs }) => (
          <FiguresTable
            label={words.space}
            columns={[
              { header: words.log },
              { header: words.bytes, isNumber: true },
              { header: words.rows, isNumber: true },
              { header: words.oldest },
              { header: words.kept },
            ]}
            rows={logs.map(({ name, bytes, rowsEstimate, oldestAt, retentionDays }) => ({
              id: name,
              cells: [
                words.logNames[name],
                format.bytes(bytes),
                words.about(format.number(rowsEstimate)),
                oldestAt ? <TimeAgo key="oldest" at={oldestAt} /> : words.none,
                words.days(retentionDays),
              ],
            }))}
          />
        )}
      </AsyncContent>
    </Card>
  );
};
