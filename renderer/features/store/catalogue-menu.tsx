import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { addressOf } from '#contracts/call-input.ts';
import { catalogueTransferHttp } from '#contracts/catalogue-transfer.ts';
import { useWords } from '../../language/use-words.ts';
import { hrefOf } from '../../routing/hash-location.ts';
import { catalogueWords } from './catalogue.words.ts';
import { ImportDialog } from './import-dialog.tsx';

/** The actions on the whole catalogue. */
export const CatalogueMenu = () => {
  const words = useWords(catalogueWords);
  const [isImporting, setImporting] = useState(false);
  const { path, download } = catalogueTransferHttp.export;
  const exportAs = (pictures: boolean) => ({
    component: 'a' as const,
    href: addressOf(path, undefined, { pictures }),
    download,
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {words.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={hrefOf('/store/order')}>
            {words.arrange}
          </Menu.Item>
          <Menu.Item {...exportAs(false)}>{words.export}</Menu.Item>
          <Menu.Item {...exportAs(true)}>{words.exportPictures}</Menu.Item>
          <Menu.Item onClick={() => setImporting(true)}>{words.import}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
};
