import { defineWords } from '#contracts/kernel/words.ts';

export const customersWords = defineWords(
  {
    title: 'Customers',
    address: 'Part of the e-mail address',
    search: 'Search',
    caption: 'Customers, newest first',
    head: { address: 'E-mail address', licenses: 'Licenses', since: 'Since', id: 'ID' },
    none: 'No customers yet. Issuing a license creates one.',
    noneFits: 'No matching customers. Try a shorter part of the address.',
    licenses: 'Licenses',
    noLicense: 'This customer has no licenses.',
  },
  {
    title: 'Clientes',
    address: 'Parte do e-mail',
    search: 'Buscar',
    caption: 'Clientes, mais recentes primeiro',
    head: { address: 'E-mail', licenses: 'Licenças', since: 'Desde', id: 'ID' },
    none: 'Nenhum cliente ainda. Emitir uma licença cria um.',
    noneFits: 'Nenhum cliente encontrado. Tente uma parte menor do endereço.',
    licenses: 'Licenças',
    noLicense: 'Este cliente não tem licenças.',
  },
);
