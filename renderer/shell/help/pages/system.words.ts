import { defineWords } from '#contracts/kernel/words.ts';

/** Help for the pages of the group "System". */
export const systemHelp = defineWords(
  {
    backups: {
      purpose:
        'Backups of Castellan itself: database, settings with their keys, and license. Each one is test-restored before it counts. Worlds are backed up on the server’s page.',
      first: {
        title: 'Back up now',
        how: 'Choose Back up now at any time, such as before a big change. Everything keeps running.',
      },
      second: {
        title: 'Keep backups elsewhere',
        how: 'An owner downloads a backup as a file that a passphrase encrypts. Or copy the backup folder to another disk: it holds your secrets, so keep it safe.',
      },
      third: {
        title: 'Restore one',
        how: 'In the desktop, choose This computer, Data folder: Restore asks once and can be undone. Without a window, run the command at the bottom of the page.',
      },
    },
    settings: {
      purpose:
        'What applies to the whole installation. What you type is kept until you save or discard it, and a change by another person is shown next to yours.',
      first: {
        title: 'Change a setting',
        how: 'Choose a section, change it and save. The audit log keeps old and new.',
      },
      second: {
        title: 'Enter a secret',
        how: 'Secrets can be saved but never shown again. Enter a new one to replace it.',
      },
      third: {
        title: 'Set how long data is kept',
        how: 'Set after how many days logs and events are deleted.',
      },
    },
    secrets: {
      purpose:
        'Which stored secrets are encrypted with which key. You need this only after a change of the encryption key.',
      first: {
        title: 'Check that all secrets are current',
        how: 'All secrets should use the key that is in use. The page shows this at the top.',
      },
      second: {
        title: 'Change the encryption key',
        how: 'Run castellan key rotate on Castellan’s machine, or replace the key in .env. Everything stays readable.',
      },
      third: {
        title: 'Re-encrypt all secrets',
        how: 'Choose Re-encrypt all secrets afterwards. It continues automatically, even after a restart.',
      },
    },
    admins: {
      purpose:
        'Everyone who can sign in to this panel, and what their role allows. You can give only permissions that you have yourself.',
      first: {
        title: 'Invite a moderator',
        how: 'Choose New admin, a role and, under Individual servers, roles on some servers. Hand over the first password safely.',
      },
      second: {
        title: 'Reset a password',
        how: 'Open the admin and choose Reset password. All sessions of that person end.',
      },
      third: {
        title: 'Lock someone out',
        how: 'Open the admin and choose Disable. Their sessions end immediately, and nothing that they did is lost.',
      },
    },
    roles: {
      purpose:
        'A role is a set of permissions that admins have everywhere or on individual servers. The built-in roles fit most communities.',
      first: {
        title: 'Create a custom role',
        how: 'Choose New role, a name and what it allows. Only permissions that you have are offered.',
      },
      second: {
        title: 'Edit a role',
        how: 'Choose Edit role and change what it allows. It applies to everyone with this role immediately.',
      },
      third: {
        title: 'See who has a role',
        how: 'The list shows how many admins have it. Open Admins to find them.',
      },
    },
    apiKeys: {
      purpose:
        'Keys for scripts and tools. A key can do at most what its creator can, on selected servers, until it expires.',
      first: {
        title: 'Create a key',
        how: 'Choose New API key, name it, select only the permissions it needs and set when it expires. The key is shown once: copy it immediately.',
      },
      second: {
        title: 'Use it',
        how: 'Open the API reference under Help: it has a curl command for every route, with your own address.',
      },
      third: {
        title: 'Revoke a key',
        how: 'Choose Revoke when a script is gone or a key has leaked. The key stops working immediately.',
      },
    },
    license: {
      purpose:
        'Whether your license works, when it ends, and how many clusters are in use. It is bound to this machine by its hardware ID (HWID).',
      first: {
        title: 'Check it now',
        how: 'Choose Check now to ask the license portal before the daily check.',
      },
      second: {
        title: 'Move to a new machine',
        how: 'In the license step there, choose Transfer from another machine. One transfer is free every 30 days.',
      },
      third: {
        title: 'Renew or change the plan',
        how: 'Choose Open the customer area. The change applies here after the next check.',
      },
    },
    computer: {
      purpose:
        'How Castellan runs on this machine: startup, network, data folder, updates and diagnostics. Only the desktop app has this page.',
      first: {
        title: 'Run without anyone signed in',
        how: 'On Windows, choose Run as Windows Services. Castellan then starts with the machine.',
      },
      second: {
        title: 'Open the panel to others',
        how: 'Under Network, choose who can reach it. Use a certificate beyond your own network. Test connections there shows what keeps Castellan off the internet.',
      },
      third: {
        title: 'Move the data folder',
        how: 'Choose another folder or disk. The old one stays until you delete it.',
      },
    },
  },
  {
    backups: {
      purpose:
        'Backups do próprio Castellan: banco de dados, configurações com as chaves e licença. Cada um é restaurado em um teste antes de contar. Os mundos têm backup na página do servidor.',
      first: {
        title: 'Fazer backup agora',
        how: 'Escolha Fazer backup agora a qualquer momento, como antes de uma grande mudança. Tudo continua funcionando.',
      },
      second: {
        title: 'Guardar backups em outro lugar',
        how: 'Um proprietário baixa um backup como arquivo criptografado por uma frase secreta. Ou copie a pasta de backups para outro disco: ela contém os seus segredos, guarde bem.',
      },
      third: {
        title: 'Restaurar um backup',
        how: 'No desktop, escolha Este computador, Pasta de dados: Restaurar pergunta uma vez e pode ser desfeito. Sem janela, use o comando no fim da página.',
      },
    },
    settings: {
      purpose:
        'O que vale para toda a instalação. O que você digita fica guardado até salvar ou descartar, e a mudança de outra pessoa aparece ao lado da sua.',
      first: {
        title: 'Mudar uma configuração',
        how: 'Escolha uma seção, mude e salve. A auditoria guarda o antes e o depois.',
      },
      second: {
        title: 'Informar um segredo',
        how: 'Segredos podem ser salvos, mas nunca mostrados de novo. Digite outro para substituir.',
      },
      third: {
        title: 'Definir por quanto tempo guardar',
        how: 'Diga depois de quantos dias logs e eventos são apagados.',
      },
    },
    secrets: {
      purpose:
        'Quais segredos guardados estão criptografados com qual chave. Você só precisa disto depois de trocar a chave de criptografia.',
      first: {
        title: 'Conferir se está tudo em dia',
        how: 'Todos os segredos devem usar a chave em uso. A página mostra isso no topo.',
      },
      second: {
        title: 'Trocar a chave de criptografia',
        how: 'Execute castellan key rotate na máquina do Castellan, ou troque a chave no .env. Tudo continua legível.',
      },
      third: {
        title: 'Criptografar todos os segredos de novo',
        how: 'Depois, escolha Criptografar todos de novo. Continua automaticamente, mesmo depois de reiniciar.',
      },
    },
    admins: {
      purpose:
        'Todos que podem entrar neste painel e o que a função de cada um permite. Você só pode dar permissões que você mesmo tem.',
      first: {
        title: 'Convidar um moderador',
        how: 'Escolha Novo administrador, uma função e, em Servidores específicos, funções em alguns servidores. Entregue a primeira senha com cuidado.',
      },
      second: {
        title: 'Redefinir uma senha',
        how: 'Abra o administrador e escolha Redefinir senha. Todas as sessões dessa pessoa terminam.',
      },
      third: {
        title: 'Bloquear alguém',
        how: 'Abra o administrador e escolha Desativar. As sessões terminam na hora, e nada do que a pessoa fez se perde.',
      },
    },
    roles: {
      purpose:
        'Uma função é um conjunto de permissões que os administradores têm em tudo ou em servidores específicos. As funções padrão servem à maioria das comunidades.',
      first: {
        title: 'Criar uma função personalizada',
        how: 'Escolha Nova função, um nome e o que ela permite. Só são oferecidas permissões que você tem.',
      },
      second: {
        title: 'Editar uma função',
        how: 'Escolha Editar função e mude o que ela permite. Vale na hora para todos com essa função.',
      },
      third: {
        title: 'Ver quem tem uma função',
        how: 'A lista mostra quantos administradores a têm. Abra Administradores para encontrá-los.',
      },
    },
    apiKeys: {
      purpose:
        'Chaves para scripts e ferramentas. Uma chave pode no máximo o que pode quem a criou, nos servidores escolhidos, até expirar.',
      first: {
        title: 'Criar uma chave',
        how: 'Escolha Nova chave de API, dê um nome, selecione só as permissões necessárias e defina quando expira. A chave aparece uma vez: copie na hora.',
      },
      second: {
        title: 'Usar a chave',
        how: 'Abra a referência da API em Ajuda: há um comando curl para cada rota, com o seu endereço.',
      },
      third: {
        title: 'Revogar uma chave',
        how: 'Escolha Revogar quando um script acabar ou a chave vazar. Ela para de funcionar na hora.',
      },
    },
    license: {
      purpose:
        'Se a licença funciona, quando termina e quantos clusters estão em uso. Ela está vinculada a esta máquina pelo ID de hardware (HWID).',
      first: {
        title: 'Verificar agora',
        how: 'Escolha Verificar agora para consultar o portal de licenças antes da verificação diária.',
      },
      second: {
        title: 'Mudar de máquina',
        how: 'Na etapa da licença da máquina nova, escolha Transferir de outra máquina. Uma transferência é gratuita a cada 30 dias.',
      },
      third: {
        title: 'Renovar ou mudar de plano',
        how: 'Escolha Abrir a área do cliente. A mudança vale aqui depois da próxima verificação.',
      },
    },
    computer: {
      purpose:
        'Como o Castellan roda nesta máquina: início, rede, pasta de dados, atualizações e diagnóstico. Só o aplicativo de desktop tem esta página.',
      first: {
        title: 'Rodar sem ninguém conectado',
        how: 'No Windows, escolha Executar como Serviços do Windows. O Castellan passa a iniciar com a máquina.',
      },
      second: {
        title: 'Abrir o painel para outros',
        how: 'Em Rede, escolha quem pode alcançá-lo. Use um certificado fora da sua própria rede. Ali, Testar as conexões mostra o que impede o Castellan de chegar à internet.',
      },
      third: {
        title: 'Mover a pasta de dados',
        how: 'Escolha outra pasta ou disco. A antiga fica até você apagá-la.',
      },
    },
  },
);
