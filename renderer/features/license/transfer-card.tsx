import { List, Text } from '@mantine/core';
import { Card } from '../../design/card.tsx';
import { useWords } from '../../language/use-words.ts';
import { licenseWords } from './license.words.ts';

/** How a license goes to another machine. */
export const TransferCard = () => {
  const words = useWords(licenseWords);
  const { copy, area, paste, activate } = words.transferSteps;
  return (
    <Card title={words.transferTitle}>
      <List type="ordered" spacing={4}>
        {[copy, area, paste, activate].map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        {words.transferFree}
      </Text>
    </Card>
  );
};
