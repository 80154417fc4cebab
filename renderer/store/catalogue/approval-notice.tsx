import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Product } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { storeWords } from './store.words.ts';

interface ApprovalNoticeProps {
  readonly product: Product;
  readonly onApproved: (saved: Product) => void;
}

/** Shown while no one answers for the commands of a product. */
export const ApprovalNotice = ({ product, onApproved }: ApprovalNoticeProps) => {
  const words = useWords(storeWords).approval;
  const can = useCan();
  const approve = useChange(storeHttp.approve, [storeHttp.products, storeHttp.read]);
  const { id, name, version, approval } = product;
  if (approval === null || approval.state === 'approved') return null;
  const send = async () => {
    onApproved(await approve.mutateAsync({ params: { id }, body: { version } }));
    notifyDone(words.approved(name));
  };
  return (
    <Alert
      color="var(--tone-warn)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.title}
    >
      <Stack gap="xs" align="flex-start">
        <Text>{approval.state === 'missing' ? words.missing : words.ended(approval.by)}</Text>
        <Text>{words.how}</Text>
        {can('store.write') && (
          <Button
            size="xs"
            variant="default"
            loading={approve.isPending}
            onClick={() => send().catch(notifyTrouble)}
          >
            {words.approve}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};
