import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface FailureAlertProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The desktop's or the portal's own words, in English. */
  readonly detail?: string | null;
}

/** The refusal, and what helps. */
export const FailureAlert = ({ title, children, detail }: FailureAlertProps) => (
  <Alert
    color="var(--tone-bad)"
    variant="outline"
    icon={<IconAlertTriangle aria-hidden />}
    title={title}
    role="alert"
  >
    <Stack gap="xs">
      {children}
      {detail && (
        <Text size="sm" c="dimmed" lang="en">
          <bdi>{detail}</bdi>
        </Text>
      )}
    </Stack>
  </Alert>
);
