import { Text } from '@mantine/core';
import { healthHttp } from '#contracts/health.ts';
import { Card } from '../../design/card.tsx';
import { FactRow, FactRows } from '../../design/fact-rows.tsx';
import { Shown } from '../../design/shown.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { PartDetail } from '../../stack-health/part-detail.tsx';
import { useRead } from '../../wire/queries.ts';
import { healthWords } from './health.words.ts';

/** How fast the database answers, and how busy the way to it is. */
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
      <Shown read={database}>
        {({ detail, latencyMs, p50Ms, p95Ms, p99Ms, pool }) => (
          <>
            {detail && <PartDetail>{detail}</PartDetail>}
            <FactRows>
              <FactRow label={words.latency}>{latencyMs === null ? words.noAnswer : took(latencyMs)}</FactRow>
              <FactRow label={words.p50}>{took(p50Ms)}</FactRow>
              <FactRow label={words.p95}>{took(p95Ms)}</FactRow>
              <FactRow label={words.p99}>{took(p99Ms)}</FactRow>
              <FactRow label={words.pool}>{words.poolText(pool.open, pool.max, pool.idle)}</FactRow>
              <FactRow label={words.waiting}>{format.number(pool.waiting)}</FactRow>
            </FactRows>
          </>
        )}
      </Shown>
    </Card>
  );
};
