import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTold } from '../../../kit/language/use-told.ts';

const Detail = ({ detail }: { readonly detail: string }) => {
  const said = useTold()(detail);
  return (
    <Text size="sm" c="dimmed" lang={said === detail ? 'en' : undefined}>
      <bdi>{said}</bdi>
    </Text>
  );
};

/** The refusal, and what helps. */
export const FailureAlert = ({
  title,
  children,
  detail,
}: {
  readonly title: string;
  readonly children: ReactNode;
  /** The desktop's or the portal's own words; those without a code stay in English. */
  readonly detail?: string | null;
}) => (
  <Alert
    color="var(--tone-bad)"
    variant="outline"
    icon={<IconAlertTriangle aria-hidden />}
    title={title}
    role="alert"
  >
    <Stack gap="xs">
      {children}
      {detail && <Detail detail={detail} />}
    </Stack>
  </Alert>
);
