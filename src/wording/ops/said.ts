/** What is said to ops in their language: a sentence of ours (null: there is none), and the words of others that go with it. */
export type Said = { text: string | null; quoted: string | null };
