import { defineWords } from '../language/define-words.ts';

export const designWords = defineWords(
  {
    loading: 'Loading …',
    tryAgain: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    cannotCopy: 'This browser does not let pages copy here; select the text instead.',
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    saved: 'Saved',
    reload: 'Reload the page',
    pageFailed: 'This page has failed',
    notAllowed: 'You may not see this page',
    notAllowedText: (permission: string) =>
      `It needs the permission “${permission}”. An owner can give it to you under Admins.`,
    notFound: 'There is no such page',
    notFoundText: 'The address may be mistyped, or what it led to may be gone.',
    toOverview: 'To the overview',
  },
  {
    loading: 'Carregando …',
    tryAgain: 'Tentar de novo',
    copy: 'Copiar',
    copied: 'Copiado',
    cannotCopy: 'Este navegador não permite copiar aqui; selecione o texto.',
    cancel: 'Cancelar',
    close: 'Fechar',
    save: 'Salvar',
    saved: 'Salvo',
    reload: 'Recarregar a página',
    pageFailed: 'Esta página falhou',
    notAllowed: 'Você não pode ver esta página',
    notAllowedText: (permission: string) =>
      `Ela exige a permissão “${permission}”. Um proprietário pode concedê-la em Administradores.`,
    notFound: 'Esta página não existe',
    notFoundText: 'O endereço pode estar errado, ou aquilo a que levava não existe mais.',
    toOverview: 'Ir para a visão geral',
  },
);
