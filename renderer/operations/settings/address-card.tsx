import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { publicAddressHttp } from '#contracts/operations/public-address.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { useCommunity } from '../../kit/community/community-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { addressWords } from '../address.words.ts';
import { AddressReport } from '../address-report.tsx';

/** Whether the public address leads here; it is checked when the page is opened and after each change. */
export const AddressCard = () => {
  const words = useWords(addressWords);
  const can = useCan();
  const { publicAddress } = useCommunity();
  const { mutate, data, error, isPending } = useChange(publicAddressHttp.check, []);
  useEffect(() => {
    if (publicAddress !== null) mutate({ body: { address: publicAddress } });
  }, [publicAddress, mutate]);
  return (
    <Card title={words.title}>
      {publicAddress === null ? (
        <Text size="sm">{words.missing}</Text>
      ) : (
        <>
          {data && <AddressReport check={data} />}
          {error && <Trouble error={error} />}
          <Group gap="sm">
            <Button
              variant="default"
              size="xs"
              loading={isPending}
              onClick={() => mutate({ body: { address: publicAddress } })}
            >
              {words.check}
            </Button>
            {can('shops.read') && (
              <PanelLink size="sm" to="/shops">
                {words.toShops}
              </PanelLink>
            )}
          </Group>
        </>
      )}
    </Card>
  );
};
