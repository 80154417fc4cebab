import { useRef } from 'react';
import { storeHttp } from '#contracts/store-http.ts';
import { useCan } from '../../access/access-state.ts';
import { notifyDone } from '../../design/notify.ts';
import { Page as Frame } from '../../design/page.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { useLiveServers } from '../../game-servers/use-live-servers.ts';
import { useWords } from '../../language/use-words.ts';
import { goTo } from '../../routing/use-hash-location.ts';
import { useChange } from '../../wire/queries.ts';
import { newFields } from './product-draft.ts';
import { ProductEditor } from './product-editor.tsx';
import { newProduct, presentEdit } from './product-edits.ts';
import { storeWords } from './store.words.ts';

export const NewProductPage = () => {
  const words = useWords(storeWords);
  const can = useCan();
  const servers = useLiveServers();
  const create = useChange(storeHttp.create, [storeHttp.products]);
  const begun = useRef(
    presentEdit(newProduct)?.fields ?? newFields(servers.data?.rows[0]?.game ?? 'minecraft'),
  );
  return (
    <Frame title={words.create} description={<PanelLink to="/store">{words.all}</PanelLink>}>
      {can('store.write') ? (
        <ProductEditor
          product={null}
          begun={begun.current}
          newest={undefined}
          version={0}
          send={async (body) => {
            const made = await create.mutateAsync({ body });
            notifyDone(words.made(made.name));
            goTo(`/store/${made.id}`, { replace: true });
            return made;
          }}
        />
      ) : (
        words.readOnly
      )}
    </Frame>
  );
};
