import { Text } from '@mantine/core';
import type { StackHealth } from '#contracts/health.ts';
import { contractVersion } from '#contracts/product.ts';
import { Card } from '../../design/card.tsx';
import { Facts } from '../../design/facts.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { healthWords } from './health.words.ts';

/** Versions, and the uptime of the API. */
export const ProgramCard = ({ health }: { readonly health: StackHealth }) => {
  const words = useWords(healthWords);
  const format = useFormat();
  return (
    <Card title={words.program}>
      <Facts
        facts={[
          { label: words.version, value: health.version },
          {
            label: words.contract,
            value: (
              <>
                {health.contractVersion}
                {health.contractVersion !== contractVersion && (
                  <Text>{words.contractDiffers(contractVersion)}</Text>
                )}
              </>
            ),
          },
          { label: words.uptime, value: format.duration(health.uptimeSeconds) },
        ]}
      />
    </Card>
  );
};
