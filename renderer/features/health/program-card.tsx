import { Text } from '@mantine/core';
import type { StackHealth } from '#contracts/health.ts';
import { contractVersion } from '#contracts/product.ts';
import { Card } from '../../design/card.tsx';
import { FactRow, FactRows } from '../../design/fact-rows.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { healthWords } from './health.words.ts';

/** Versions, and for how long the API runs. */
export const ProgramCard = ({ health }: { readonly health: StackHealth }) => {
  const words = useWords(healthWords);
  const format = useFormat();
  return (
    <Card title={words.program}>
      <FactRows>
        <FactRow label={words.version}>{health.version}</FactRow>
        <FactRow label={words.contract}>
          {health.contractVersion}
          {health.contractVersion !== contractVersion && (
            <Text>{words.contractDiffers(contractVersion)}</Text>
          )}
        </FactRow>
        <FactRow label={words.uptime}>{format.duration(health.uptimeSeconds)}</FactRow>
      </FactRows>
    </Card>
  );
};
