import { List, Stack, Text } from '@mantine/core';
import { useWords } from '../../language/use-words.ts';
import classes from './license.module.css';
import { licenseWords } from './license.words.ts';

/** How to transfer a license to another machine. Collapsed and separate, because this machine is refused afterwards. */
export const TransferSteps = () => {
  const words = useWords(licenseWords);
  const { install, choose, activate } = words.transferSteps;
  return (
    <details className={classes.apart}>
      <summary>{words.transferTitle}</summary>
      <Stack gap="xs" mt="sm">
        <Text>{words.transferWarning}</Text>
        <List type="ordered" spacing={4}>
          {[install, choose, activate].map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          {words.transferByHand}
        </Text>
        <Text size="sm" c="dimmed">
          {words.transferFree}
        </Text>
      </Stack>
    </details>
  );
};
