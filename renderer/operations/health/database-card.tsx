import { Text } from '@mantine/core';
import { healthHttp } from '#contracts/operations/health.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { PartDetail } from '../part-detail.tsx';
import { healthWords } from './health.words.ts';

/** The response time of the database, and the load of its connections. */
export const DatabaseCard = ({ everyMs }: { readonly everyMs: number }) => {
  const words = useWords(healthWords);
  const format = useFormat();
  const database = useRead(healthHttp.database, {}, { everyMs });
  const took = (ms: number | null) => (ms === null ? words.unknown : format.milliseconds(ms));
  return (
    <Card title={words.database}>
      <Text size="sm" c="dimmed">
        {words.databaseText}
      </Text>
      <AsyncContent read={database}>
        {({ detail, latencyMs, p50Ms, p95Ms, p99Ms, pool }) => (
          <>
            {detail && <PartDetail>{detail}</PartDetail>}
            <Facts
              facts={[
                { label: words.latency, value: latencyMs === null ? words.noAnswer : took(latencyMs) },
                { label: words.p50, value: took(p50Ms) },
                { label: words.p95, value: took(p95Ms) },
                { label: words.p99, value: took(p99Ms) },
                { label: words.pool, value: words.poolText(pool.open, pool.max, pool.idle) },
                { label: words.waiting, value: format.number(pool.waiting) },
              ]}
            />
          </>
        )}
      </AsyncContent>
    </Card>
  );
};
