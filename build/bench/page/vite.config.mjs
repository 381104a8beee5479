export default {
  build: { lib: { entry: "peers.js", formats: ["es"], fileName: () => "peers.js" } },
  define: { "process.env.NODE_ENV": '"production"' },
};
